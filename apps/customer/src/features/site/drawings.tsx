const frame = { className: 'h-[66px] w-[60px] lg:h-[104px] lg:w-[96px]', viewBox: '0 0 96 104', fill: 'none' };

/** A phone with a picture, a line and a button. */
export function PhoneDrawing() {
  return (
    <svg aria-hidden {...frame}>
      <rect x="16" y="4" width="64" height="94" rx="13" fill="var(--surface)" stroke="var(--text)" strokeWidth="3" />
      <rect x="25" y="19" width="46" height="34" rx="6" fill="#f4c876" />
      <circle cx="37" cy="31" r="7" fill="#fff" />
      <path d="M25 46q10-10 20-2t26-8v11a6 6 0 0 1-6 6H31a6 6 0 0 1-6-6Z" fill="#1f5c4d" />
      <rect x="25" y="62" width="28" height="6" rx="3" fill="var(--line-strong)" />
      <rect x="25" y="76" width="46" height="12" rx="6" fill="var(--brand)" />
    </svg>
  );
}

/** An open envelope with a card and a heart. */
export function EnvelopeDrawing() {
  return (
    <svg aria-hidden {...frame}>
      <path d="M6 44h84v44a8 8 0 0 1-8 8H14a8 8 0 0 1-8-8Z" fill="#f4a9b4" />
      <rect x="21" y="8" width="54" height="60" rx="9" fill="var(--surface)" stroke="var(--text)" strokeWidth="3" />
      <path d="M48 49c-12-8-17-14-15-20 2-7 11-7 15-1 4-6 13-6 15 1 2 6-3 12-15 20Z" fill="var(--brand)" />
      <path d="M6 46l42 28 42-28v42a8 8 0 0 1-8 8H14a8 8 0 0 1-8-8Z" fill="#fbd3d9" />
      <path d="M8 94l30-27M88 94L58 67" stroke="#e79aa6" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}

/** A QR that has been scanned. */
export function ScanDrawing() {
  return (
    <svg aria-hidden {...frame}>
      <rect x="6" y="12" width="76" height="76" rx="16" fill="#dff0ea" />
      <g fill="none" stroke="#123c33" strokeWidth="5">
        <rect x="20" y="26" width="16" height="16" />
        <rect x="52" y="26" width="16" height="16" />
        <rect x="20" y="58" width="16" height="16" />
      </g>
      <path d="M48 54h7v7h-7zM60 54h10v6H60zM48 66h6v10h-6z" fill="#123c33" />
      <circle cx="74" cy="80" r="17" fill="#16915b" />
      <path d="M66 80l6 6 11-12" stroke="#fff" strokeWidth="4.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
