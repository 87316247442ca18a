import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, pages, type Row } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Button } from '@wlv/ui/button';
import { Chip } from '@wlv/ui/chip';
import { DialogContent } from '@wlv/ui/dialog';
import { date, dateTime } from '@wlv/ui/format';
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '@wlv/ui/table';
import { UserPlus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useMayCall } from '../../access/admin-right.ts';
import { roles } from '../../access/roles.ts';
import { Facts } from '../../resource/facts.tsx';
import { ListOfAll, OpenRow, OrganisationLink, OrganisationOf, RecordDialog, useNarrowed } from './list-of-all.tsx';

type Staff = Row<'/api/admin/staff/list'>;

/** Who works in the offices of all organisations. */
export function StaffPage() {
  const { t, i18n } = useLingui();
  const text = useTexts();
  const mayInvite = useMayCall()('/api/admin/staff/invite');
  const { asked, narrow } = useNarrowed<{ of: string }>();
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<Staff>();
  const search = useDeferredValue(typed.trim());
  const filter = { ...(asked.of ? { org_id: asked.of } : {}), ...(search ? { search } : {}) };
  const list = useInfiniteQuery({
    ...pages('/api/admin/staff/list', { limit: 50, ...filter }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ListOfAll
        title={t`Staff of all organisations`}
        search={typed}
        onSearch={setTyped}
        onWiden={asked.of ? () => narrow({ of: '' }) : undefined}
        list={list}
        actions={
          mayInvite && (
            <Button asChild size="office">
              <Link to="/advwsadmin/staff_add" search={asked.of ? { of: asked.of } : {}}>
                <UserPlus aria-hidden />
                {t`Invite`}
              </Link>
            </Button>
          )
        }
        makeFile={() => call('/api/admin/staff/file', filter)}
        cutNote={t`The file has the first 10,000 people. Choose one organisation.`}
        note={t`Owners decide who works for them. You see here who has which rights, and whether a code of a phone protects them. Who was invited is listed within five minutes.`}
      >
        <TableHead>
          <tr>
            <TableHeader className="pl-[18px]">{t`Name`}</TableHeader>
            <TableHeader>{t`Organisation`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Rights`}</TableHeader>
            <TableHeader>{t`Two-step sign-in`}</TableHeader>
            <TableHeader className="max-sm:hidden">{t`Changed`}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {list.data?.pages
            .flatMap((page) => page.data)
            .map((row) => (
              <TableRow key={`${row.org_id} ${row.id}`}>
                <TableCell className="pl-[18px]">
                  <span className="flex flex-wrap items-center gap-2">
                    <OpenRow name={row.name} onClick={() => setOpened(row)} />
                    <Standing of={row} />
                  </span>
                </TableCell>
                <TableCell>
                  <OrganisationOf row={row} onClick={() => narrow({ of: row.org_id })} />
                </TableCell>
                <TableCell className="max-sm:hidden">{i18n._(roles[row.role].title)}</TableCell>
                <TableCell>
                  {row.second_factor ? <Chip tone="ok">{t`On`}</Chip> : <Chip tone="mute">{t`Off`}</Chip>}
                </TableCell>
                <TableCell className="max-sm:hidden">{dateTime(row.changed_at)}</TableCell>
              </TableRow>
            ))}
        </TableBody>
      </ListOfAll>
      <RecordDialog onClose={() => setOpened(undefined)}>
        {opened && (
          <DialogContent title={opened.name || t`No name`} description={text(opened, 'org_name')}>
            <Standing of={opened} />
            <Facts
              of={[
                [t`Rights`, i18n._(roles[opened.role].title)],
                [t`Two-step sign-in`, opened.second_factor ? t`On` : t`Off`],
                [t`Joined`, date(opened.joined_at)],
                [t`Changed`, dateTime(opened.changed_at)],
              ]}
            />
            <OrganisationLink id={opened.org_id} />
          </DialogContent>
        )}
      </RecordDialog>
    </>
  );
}

/** Whether somebody cannot sign in; nothing of who can. */
function Standing({ of }: { of: Staff }) {
  const { t } = useLingui();
  if (of.status === 1) return <Chip tone="warn">{t`Not signed in yet`}</Chip>;
  if (of.status !== 5) return <Chip tone="mute">{t({ message: 'Closed', context: 'account' })}</Chip>;
  return null;
}
