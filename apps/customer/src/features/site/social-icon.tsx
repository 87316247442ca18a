const shapes = {
  Facebook: (
    <path d="M14 22v-9h3l.5-3.5H14V7.4c0-1 .4-1.7 1.9-1.7h1.7V2.6a20 20 0 0 0-2.5-.1c-2.6 0-4.3 1.5-4.3 4.3v2.7H8V13h2.8v9z" />
  ),
  TikTok: (
    <path d="M14 2h3c.3 2.2 1.7 3.7 4 3.9v3.1a8 8 0 0 1-4-1.2v7.1a6.1 6.1 0 1 1-6.1-6.1l.9.1v3.2a2.9 2.9 0 1 0 2.2 2.8z" />
  ),
  YouTube: <path d="M6 5h12a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4Zm4 3.8v6.4l5.5-3.2z" />,
};

/** Plain shapes of our own: the icon set carries no brands. */
export function SocialIcon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" width="20" height="20" fill="currentColor">
      {shapes[name]}
    </svg>
  );
}
