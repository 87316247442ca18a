import { useQuery } from '@tanstack/react-query';
import { fetchFile } from '@wlv/client/download';
import { useEffect, useState } from 'react';

/** The address of a picture that only its owner may see, while it is shown; null until it has come. */
export function usePrivatePicture(id: string | null | undefined) {
  const file = useQuery({
    queryKey: ['private picture', id],
    queryFn: () => fetchFile('/api/agent/register/picture/{id}', id ?? ''),
    enabled: Boolean(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.data) return setAddress(null);
    const made = URL.createObjectURL(file.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file.data]);
  return { address, failed: file.isError };
}
