import { Link } from '@tanstack/react-router';
import { pictureURL } from '@wlv/client/media';
import { usePage } from '@wlv/client/page';
import { Avatar } from '@wlv/ui/avatar';
import { OrgMark } from '@wlv/ui/org-mark';
import { Picture } from '@wlv/ui/picture';
import { useName } from './names.ts';
import type { AnyResource, AnyRow } from './resource.ts';

/** Picture, name and code of a row; the name opens it. */
export function RowName({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const name = useName(resource)(row);
  const code = resource.code?.(row);
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Thumb resource={resource} row={row} />
      <div className="min-w-0">
        <Link
          to="/owner/$screen/$id"
          params={{ screen: resource.path, id: String(row.id) }}
          search={(now) => now}
          className="font-medium max-sm:line-clamp-2 sm:block sm:max-w-[36ch] sm:truncate text-foreground after:absolute after:inset-0"
        >
          {name || '–'}
        </Link>
        {code && <span className="block truncate text-caption text-quiet sm:max-w-[36ch]">{code}</span>}
      </div>
    </div>
  );
}

function Thumb({ resource, row }: { resource: AnyResource; row: AnyRow }) {
  const { org } = usePage();
  if (!resource.picture) return null;
  const picture = resource.picture(row);
  if (resource.shape === 'person') return <Avatar src={picture} size={36} />;
  return (
    <Picture
      src={pictureURL(picture, 400)}
      mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={24} className="opacity-60" />}
      className="h-10 w-12 shrink-0 rounded-chip"
    />
  );
}
