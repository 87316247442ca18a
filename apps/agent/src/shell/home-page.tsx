import { useSearch } from '@tanstack/react-router';
import { useArea } from '../area.tsx';
import { SignInPage } from '../features/entry/sign-in-page.tsx';
import { MarketPage } from '../features/market/market-page.tsx';

/** The market of who is signed in; for everybody else the way in. */
export function HomePage() {
  const { signedIn } = useArea();
  const { reason } = useSearch({ strict: false }) as { reason?: string };
  return signedIn && reason !== 'profile' ? <MarketPage /> : <SignInPage />;
}
