import type { LineMessage } from '@wlv/client/device-types';

interface Parts {
  title: string;
  /** The giver's own; empty where he wrote none. */
  words: string;
  brand: string;
  logo: string | null;
  picture: string;
  button: string;
  until: string;
  link: string;
  colours: { brand: string; onBrand: string };
}

/** The longest text that stands for the message in a list of chats, and in a notice. */
const longestAlt = 400;

/** A gift as LINE shows it in a chat: its card, who sends it, his words, the shop, and the button that opens it. */
export function giftMessage({ title, words, brand, logo, picture, button, until, link, colours }: Parts): LineMessage {
  const action = { type: 'uri', label: button, uri: link } as const;
  return {
    type: 'flex',
    altText: shortened(`${title} - ${brand}`),
    contents: {
      type: 'bubble',
      size: 'mega',
      hero: { type: 'image', url: picture, size: 'full', aspectRatio: '4:3', aspectMode: 'cover', action },
      body: {
        type: 'box',
        layout: 'vertical',
        paddingAll: '18px',
        backgroundColor: '#ffffff',
        contents: [
          { type: 'text', text: title, size: 'lg', weight: 'bold', color: '#15130f', wrap: true },
          ...(words ? [{ type: 'text', text: words, color: '#454340', wrap: true, margin: 'md' } as const] : []),
          {
            type: 'box',
            layout: 'horizontal',
            margin: 'lg',
            spacing: 'md',
            alignItems: 'center',
            contents: [
              ...(logo ? [mark(logo)] : []),
              { type: 'text', text: brand, size: 'sm', color: '#454340', wrap: true, maxLines: 2 },
            ],
          },
          {
            type: 'box',
            layout: 'vertical',
            margin: 'lg',
            paddingAll: '13px',
            cornerRadius: '12px',
            backgroundColor: colours.brand,
            action,
            contents: [
              { type: 'text', text: button, align: 'center', weight: 'bold', color: colours.onBrand, wrap: true },
            ],
          },
          { type: 'text', text: until, size: 'xs', color: '#6b6864', align: 'center', wrap: true, margin: 'md' },
        ],
      },
    },
  };
}

function mark(logo: string) {
  const image = { type: 'image', url: `${logo}?w=400`, size: 'full', aspectRatio: '1:1', aspectMode: 'cover' } as const;
  const [type, layout] = ['box', 'vertical'] as const;
  return { type, layout, width: '24px', height: '24px', cornerRadius: '6px', flex: 0, contents: [image] };
}

/** Cuts between two letters, never within one that takes two places. */
function shortened(text: string) {
  if (text.length <= longestAlt) return text;
  let cut = '';
  for (const letter of text) {
    if (cut.length + letter.length >= longestAlt) break;
    cut += letter;
  }
  return `${cut}…`;
}
