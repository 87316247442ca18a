import { useLingui } from '@lingui/react/macro';
import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { CatchBoundary, Outlet, useLocation } from '@tanstack/react-router';
import { ApiError } from '@wlv/client/api-error';
import { Failure } from '@wlv/client/failure';
import { useRealtime } from '@wlv/client/use-realtime';
import { WaitingRing } from '@wlv/ui/ring';
import { SkipLink } from '@wlv/ui/skip-link';
import { Toaster } from '@wlv/ui/toaster';
import { type ReactNode, Suspense } from 'react';
import { useArea } from '../area.ts';
import { usePlatformTheme } from './platform-theme.ts';

/** What is around every signed-in screen: who it is has been asked, events are listened to, errors are shown. */
export function AreaFrame({ children }: { children?: ReactNode }) {
  useRealtime(useArea());
  return (
    <>
      <SkipLink />
      <Boundary>
        <Suspense fallback={<Loading />}>
          <Theme />
          {children ?? <Outlet />}
        </Suspense>
      </Boundary>
      <Toaster />
    </>
  );
}

/** On the platform's own host the page does not know the organisation; the session does. */
function Theme() {
  usePlatformTheme();
  return null;
}

function Loading() {
  const { t } = useLingui();
  return (
    <div role="status" className="grid min-h-dvh content-center justify-items-center gap-3">
      <WaitingRing size={32} />
      <p className="text-sm text-muted-foreground">{t`Opening…`}</p>
    </div>
  );
}

/** Shows what a screen threw, with a way on. The end of a session is not shown: the app is leaving already. */
export function Boundary({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <CatchBoundary
          getResetKey={() => pathname}
          errorComponent={({ error, reset: again }) =>
            error instanceof ApiError && error.sessionExpired ? null : (
              <div id="content">
                <Failure
                  title={t`This did not open`}
                  error={error}
                  onRetry={() => {
                    reset();
                    again();
                  }}
                />
              </div>
            )
          }
        >
          {children}
        </CatchBoundary>
      )}
    </QueryErrorResetBoundary>
  );
}
