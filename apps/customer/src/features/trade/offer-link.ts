import { usePage } from '@wlv/client/page';

/**
 * The address under which an offer is sent to friends. Inside LINE only a LIFF link opens with the person's login: it leads to the shop's app
 * for resale, else to its app for customers.
 */
export function useOfferLink(id: string) {
  const { org, line } = usePage();
  const { lifftrade, liffuser } = org?.liff ?? {};
  const offer = `buy/${org?.unique}/${id}`;
  if (line.liff_base && lifftrade) return `${line.liff_base}/${lifftrade}/${offer}`;
  if (line.liff_base && liffuser) return `${line.liff_base}/${liffuser}/trade/${id}`;
  return `${location.origin}/trade/${offer}`;
}
