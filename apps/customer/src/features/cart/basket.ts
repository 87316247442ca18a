import { useSearch } from '@wlv/client/router';
import { useArea } from '../../area.tsx';
import { cart, useCart } from '../../cart/cart-store.ts';
import { dropCodes } from './codes.ts';

interface CartSearch {
  /** "Buy now" pays for this one package and leaves the cart as it is. */
  only?: string;
  n?: string;
}

/** What is about to be paid for: the cart, or the one package of "Buy now". */
export function useBasket() {
  const { only, n } = useSearch<CartSearch>();
  const { go } = useArea();
  const entries = useCart();

  if (only) {
    const quantity = Math.min(99, Math.max(1, Number(n) || 1));
    return {
      isCart: false,
      lines: [{ package_id: only, quantity }],
      setQuantity: (_id: string, next: number) => void go('cart', { only, n: String(next) }, { replace: true }),
      remove: () => void go(`market/${only}`, {}, { replace: true }),
      empty: () => void go('market', {}, { replace: true }),
      paid: dropCodes,
    };
  }
  const empty = () => {
    for (const { package_id } of entries) cart.remove(package_id);
  };
  return {
    isCart: true,
    lines: entries.map(({ package_id, total }) => ({ package_id, quantity: total })),
    setQuantity: cart.set,
    remove: cart.remove,
    empty,
    paid: () => {
      empty();
      dropCodes();
    },
  };
}

export type Basket = ReturnType<typeof useBasket>;
