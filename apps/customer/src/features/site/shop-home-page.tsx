import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { pictureURL } from '@wlv/client/media';
import { BrandMark, Mark, useBrand, usePage, useTexts, useTitle } from '@wlv/client/page';
import { Link } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { PackageCardSkeleton } from '@wlv/ui/package-card';
import { Picture } from '@wlv/ui/picture';
import { EmptyState } from '@wlv/ui/state';
import { TicketFan, TicketFanSkeleton } from '@wlv/ui/ticket-fan';
import { ChevronRight, MapPin, ShieldCheck, Ticket } from 'lucide-react';
import type { ReactNode } from 'react';
import { Resting } from '../../shell/resting.tsx';
import { type Package, PackageTile } from '../../shop/package-tile.tsx';
import { OneQuestion, type Question, useQuestions } from '../../shop/questions.tsx';
import { type Place, ServicePoints } from '../../shop/service-points.tsx';
import { Assurance, Hero } from './hero.tsx';
import { Steps } from './steps.tsx';

/** More stand in the market, on the page of places and on that of questions. */
const shown = { packages: 8, places: 4, questions: 4 };

/** A shop's own front: who it is and what it sells, where and how that is used, and what its customers ask. */
export function ShopHomePage() {
  return usePage().org?.suspended ? <Resting /> : <Front />;
}

function Front() {
  const { t } = useLingui();
  useTitle(t`Home`);
  const packages = useInfiniteQuery(pages('/api/user/get/salepackage', {}));
  const list = packages.data?.pages[0];
  const front = list && frontOf(list.data);

  return (
    <>
      <Greeting
        selling={list?.data.length !== 0}
        tickets={
          <>
            {packages.isPending && <TicketFanSkeleton />}
            {front && <Fan packages={front} />}
          </>
        }
      />
      <div className="mx-auto grid max-w-[1440px] grid-cols-1 gap-12 px-4 pt-8 sm:px-6 lg:gap-16 lg:px-20">
        {packages.isError && (
          <Failure
            title={t`The packages did not load`}
            error={packages.error}
            onRetry={() => void packages.refetch()}
          />
        )}
        {packages.isPending && <PackagesSkeleton />}
        {list?.data.length === 0 && <NothingOnSale />}
        {/* A single package stands on the ticket above already. */}
        {list && list.data.length > 1 && <Packages packages={list.data} total={list.total} />}
        {list && list.data.length > 0 && <Steps className="overflow-hidden rounded-card shadow-card" />}
        <ShopPlaces />
        <ShopQuestions />
      </div>
    </>
  );
}

/** What the shop puts first leads, the best sold follow. */
function frontOf(packages: Package[]) {
  return [...packages].sort((a, b) => Number(b.featured) - Number(a.featured)).slice(0, 3);
}

function usePlaces() {
  return useQuery(query('/api/user/get/service_point', {}));
}

function Greeting({ selling, tickets }: { selling: boolean; tickets: ReactNode }) {
  const { t } = useLingui();
  const { org } = usePage();
  const brand = useBrand();
  const text = useTexts();
  const places = usePlaces().data?.data ?? [];
  return (
    <Hero
      mark={<BrandMark size={72} />}
      size="name"
      title={brand}
      lead={org && text(org, 'tagline')}
      actions={
        <>
          {selling && (
            <Button asChild className="flex-1 lg:flex-none">
              <Link to="/user/market">
                <Ticket aria-hidden />
                {t`Choose a package`}
              </Link>
            </Button>
          )}
          <Button asChild variant="outline">
            <Link to="/contact">{t`Our places`}</Link>
          </Button>
        </>
      }
      assurances={
        <>
          {org?.protected && selling && <KeptSafe />}
          {places.length > 0 && <UsedAt places={places} />}
        </>
      }
      tickets={tickets}
    />
  );
}

export function KeptSafe() {
  const { t } = useLingui();
  return <Assurance icon={<ShieldCheck aria-hidden />}>{t`What is not used yet is kept safe for you`}</Assurance>;
}

/** The only place by its name, several by their number. */
export function UsedAt({ places }: { places: Place[] }) {
  const { t } = useLingui();
  const text = useTexts();
  const [first] = places;
  return (
    <Assurance icon={<MapPin aria-hidden />}>
      {first && places.length === 1 ? text(first, 'name') : t`Use it at ${places.length} places`}
    </Assurance>
  );
}

/** The first three packages on tickets. */
export function Fan({ packages }: { packages: Package[] }) {
  const { t } = useLingui();
  const text = useTexts();
  const brand = useBrand();
  return (
    <TicketFan
      tickets={packages.map((product, at) => ({
        picture: (
          <Picture src={pictureURL(product.picture, 720)} mark={<Mark size={64} />} eager className="size-full" />
        ),
        shop: (
          <>
            <BrandMark size={22} />
            <span className="truncate">{brand}</span>
          </>
        ),
        name:
          at === 0 ? (
            <Link to={`/user/market/${product.id}`}>
              <span aria-hidden className="absolute inset-0" />
              {text(product, 'name')}
            </Link>
          ) : (
            text(product, 'name')
          ),
        satang: product.price_satang,
        action:
          at === 0 ? (
            <Link to={`/user/market/${product.id}`} className="relative">
              {t`Buy now`}
            </Link>
          ) : (
            <span>{t`Buy now`}</span>
          ),
      }))}
    />
  );
}

function Section({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <div className="flex items-center justify-between gap-4 pb-3">
        <h2 className="text-h1 font-semibold">{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}

function More({ to, children }: { to: '/user/market' | '/contact' | '/faq'; children: ReactNode }) {
  return (
    <Link to={to} className="-my-2 flex min-h-11 shrink-0 items-center gap-0.5 text-sm font-medium text-brand-text">
      {children}
      <ChevronRight aria-hidden className="size-[18px]" />
    </Link>
  );
}

const grid = 'grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 lg:gap-4';

function NothingOnSale() {
  const { t } = useLingui();
  const brand = useBrand();
  return (
    <EmptyState
      title={t`Nothing on sale yet`}
      line={t`When ${brand} puts packages on sale, you will find them here.`}
    />
  );
}

export function Packages({ packages, total }: { packages: Package[]; total: number }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Packages`}
      more={total > shown.packages && <More to="/user/market">{t`All ${total} packages`}</More>}
    >
      <div className={grid}>
        {packages.slice(0, shown.packages).map((product) => (
          <PackageTile key={product.id} product={product} />
        ))}
      </div>
    </Section>
  );
}

function PackagesSkeleton() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading…`} className={grid}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <PackageCardSkeleton key={key} />
      ))}
    </div>
  );
}

function ShopPlaces() {
  const { t } = useLingui();
  const places = usePlaces();
  if (places.isError) {
    return <Failure title={t`The places did not load`} error={places.error} onRetry={() => void places.refetch()} />;
  }
  const all = places.data?.data ?? [];
  return all.length > 0 && <PlacesSection places={all} />;
}

export function PlacesSection({ places }: { places: Place[] }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Where to use it`}
      more={places.length > shown.places && <More to="/contact">{t`All ${places.length} places`}</More>}
    >
      <ServicePoints places={places.slice(0, shown.places)} />
    </Section>
  );
}

function ShopQuestions() {
  const { t } = useLingui();
  const questions = useQuestions();
  if (questions.isError) {
    return (
      <Failure title={t`The questions did not load`} error={questions.error} onRetry={() => void questions.refetch()} />
    );
  }
  const all = questions.data?.data ?? [];
  return all.length > 0 && <QuestionsSection questions={all} />;
}

export function QuestionsSection({ questions }: { questions: Question[] }) {
  const { t } = useLingui();
  return (
    <Section
      title={t`Frequently asked questions`}
      more={questions.length > shown.questions && <More to="/faq">{t`All questions`}</More>}
    >
      <Card className="divide-y px-5">
        {questions.slice(0, shown.questions).map((question) => (
          <OneQuestion key={question.id} question={question} />
        ))}
      </Card>
    </Section>
  );
}
