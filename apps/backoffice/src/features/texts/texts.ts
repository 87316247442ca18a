import { resourceScreen } from '../../resource/resource-screen.tsx';
import { pdpa, termsandconditions } from './consent.tsx';
import { definestatus } from './status.tsx';

export const PdpaPage = resourceScreen(pdpa);
export const TermsPage = resourceScreen(termsandconditions);
export const StatusesPage = resourceScreen(definestatus);
