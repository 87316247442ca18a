const outline = { stroke: 'var(--brand-mark)', strokeWidth: 2.5, strokeLinejoin: 'round' } as const;

/** A whole ticket: what belongs here will come. */
export function TicketDrawing() {
  return (
    <svg aria-hidden width="168" height="132" viewBox="0 0 168 132" fill="none">
      <ellipse cx="84" cy="120" rx="62" ry="7" fill="var(--sunken)" />
      <rect x="16" y="36" width="128" height="62" rx="9" fill="var(--second-soft)" transform="rotate(-9 84 66)" />
      <path
        d="M26 40h112a8 8 0 0 1 8 8v12a9 9 0 0 0 0 18v12a8 8 0 0 1-8 8H26a8 8 0 0 1-8-8V78a9 9 0 0 0 0-18V48a8 8 0 0 1 8-8Z"
        fill="var(--surface)"
        {...outline}
      />
      <path d="M58 46v48" {...outline} strokeDasharray="1 7" strokeLinecap="round" />
      <circle cx="38" cy="69" r="9" fill="var(--second)" />
      <rect x="72" y="58" width="50" height="7" rx="3.5" fill="var(--line)" />
      <rect x="72" y="73" width="32" height="7" rx="3.5" fill="var(--line)" />
    </svg>
  );
}

/** A ticket torn in two: something did not arrive. */
export function TornTicketDrawing() {
  return (
    <svg aria-hidden width="168" height="132" viewBox="0 0 168 132" fill="none">
      <ellipse cx="84" cy="120" rx="62" ry="7" fill="var(--sunken)" />
      <path
        d="M22 42h50l-6 9 8 9-8 9 8 9-6 9 6 9H22a8 8 0 0 1-8-8V78a9 9 0 0 0 0-18V50a8 8 0 0 1 8-8Z"
        fill="var(--surface)"
        {...outline}
      />
      <path
        d="M94 34h50a8 8 0 0 1 8 8v10a9 9 0 0 0 0 18v10a8 8 0 0 1-8 8H94l-6-9 8-9-8-9 8-9-6-9z"
        fill="var(--brand-soft)"
        {...outline}
      />
      <circle cx="40" cy="69" r="9" fill="var(--second)" />
    </svg>
  );
}
