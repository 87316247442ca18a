import { useLingui } from '@lingui/react/macro';
import { useTexts } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { Chip } from '@wlv/ui/chip';
import { count, date, percent } from '@wlv/ui/format';
import { Price } from '@wlv/ui/price';
import { usePerson } from '../../access/person.ts';
import { RecordCard, RecordColumns, RecordFigures, RecordHead } from '../../record/record-frame.tsx';
import { RecordLink } from '../../record/record-link.tsx';
import type { StoryOf } from '../../record/story.ts';
import { Timeline } from '../../record/timeline.tsx';
import { Facts } from '../../resource/facts.tsx';
import type { AnyResource } from '../../resource/resource.ts';
import { RowMenu } from '../../resource/row-menu.tsx';
import { StatusChip } from '../../resource/status-chip.tsx';
import { AgentForms } from './agent-forms.tsx';
import { AgentType } from './agent-type.tsx';

type Story = StoryOf<'agent'>;

/** An agent: his links, what they sold, and what he has earned. */
export default function AgentStory({ story, resource }: { story: Story; resource: AnyResource }) {
  const { t } = useLingui();
  const text = useTexts();
  const { can } = usePerson();
  const { record } = story;
  const sells = record.state === 'approved' || record.state === 'suspended';
  const rate = percent(story.rate_basis_points);
  return (
    <>
      <RecordHead
        name={record.name}
        picture={<Avatar src={record.pictureUrl} size={60} />}
        title={record.name || '–'}
        chips={<StatusChip resource={resource} row={record as never} />}
        {...(record.referercode ? { code: record.referercode } : {})}
        line={
          <>
            {record.agent_type_id ? `${text(record, 'type_name')} ${rate}` : t`applies to sell`}
            {sells && record.approved_at && (
              <>
                <span aria-hidden>·</span>
                {t`agent since ${date(record.approved_at)}`}
              </>
            )}
          </>
        }
        actions={sells && can('agent', 's') && <RowMenu resource={resource} row={record as never} framed />}
      />
      <AgentForms id={record.id ?? ''} />
      {sells && (
        <RecordFigures
          figures={[
            { name: t`Sold`, value: <Price satang={record.sold_satang} />, line: t`${count(story.orders)} orders` },
            { name: t`Commission in all`, value: <Price satang={record.commission_satang} /> },
            { name: t`Not due yet`, value: <Price satang={story.pending_satang} /> },
            story.owed_satang
              ? { name: t`Owed to the shop`, value: <Price satang={story.owed_satang} /> }
              : { name: t`Can be paid out`, value: <Price satang={story.payable_satang} /> },
          ]}
        />
      )}
      <RecordColumns
        facts={
          <>
            <RecordCard title={t`About this agent`}>
              <Facts
                of={[
                  [
                    t`As a customer`,
                    <RecordLink key="customer" table="customer" id={record.customer_id}>
                      {record.name || '–'}
                    </RecordLink>,
                  ],
                  ...(record.agent_type_id
                    ? ([
                        [t`Agent type`, <AgentType key="type" record={record} />],
                        [t`Rate`, rate],
                      ] as const)
                    : []),
                ]}
              />
            </RecordCard>
            <Links links={story.links} />
          </>
        }
      >
        <Timeline events={story.events} more={story.events_more} here={record.id ?? ''} />
      </RecordColumns>
    </>
  );
}

function Links({ links }: { links: Story['links'] }) {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <RecordCard title={t`Sale links`} beside={links.length > 0 && count(links.length)}>
      {links.length === 0 && <p className="py-2 text-quiet">{t`No sale link yet`}</p>}
      <ul className="divide-y">
        {links.map((link) => (
          <li key={link.code} className="flex items-center justify-between gap-3 py-2.5">
            <span className="min-w-0">
              <RecordLink table="salepackage" id={link.package_id}>
                {text(link, 'name')}
              </RecordLink>
              <span className="block truncate text-caption text-quiet">{link.code}</span>
            </span>
            {link.status !== 5 && <Chip>{t`Not on sale`}</Chip>}
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}
