import { Search } from 'lucide-react';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Input } from './input.tsx';

/** Milliseconds without a key after which the typed words are searched for. */
const pause = 350;

/** Searches while the person types, after a short pause, and at once by the keyboard's search key. */
export function SearchField({
  label,
  value,
  onSearch,
  placeholder = label,
  ...look
}: {
  label: string;
  /** What is searched for now; when something else changes it, the field follows. */
  value: string;
  onSearch: (words: string) => void;
  placeholder?: string;
} & Pick<ComponentProps<typeof Input>, 'size' | 'quiet' | 'after' | 'className'>) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const field = useRef<HTMLInputElement>(null);
  // Where the server has painted the field, words may have been typed before anything here heard of them.
  useEffect(() => setTyped((typed) => field.current?.value ?? typed), []);

  const send = () => {
    const words = typed.trim();
    if (words === sent.current) return;
    sent.current = words;
    onSearch(words);
  };
  const latest = useRef(send);
  latest.current = send;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each key begins the pause anew
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);

  return (
    <form
      data-slot="search-field"
      role="search"
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Input
        ref={field}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        before={<Search aria-hidden className={look.size === 'office' ? 'size-4' : 'size-5'} />}
        {...look}
      />
    </form>
  );
}
