/**
 * How a visitor's way in looks until the browser has said who looks at the page: it keeps its place and is not seen, so that
 * nobody who is signed in is asked to sign in. Where no script runs nobody is signed in, and it is seen.
 */
export const untilKnown = 'invisible noscript:visible';
