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
      <RowPicture resource={resource} picture={resource.picture?.(row)} />
      <div className="min-w-0">
        <Link
          to="/owner/$screen/$id"
          params={{ screen: resource.path, id: String(row.id) }}
          search={(now) => now}
          className="block max-w-[36ch] truncate font-medium text-foreground after:absolute after:inset-0"
        >
          {name || '–'}
        </Link>
        {code && <span className="block max-w-[36ch] truncate text-caption text-quiet">{code}</span>}
      </div>
    </div>
  );
}

/** The picture of a row of a table that has pictures; `undefined` is none to show. */
export function RowPicture({ resource, picture }: { resource: AnyResource; picture: string | null | undefined }) {
  const { org } = usePage();
  if (picture === undefined) return null;
  if (resource.shape === 'person') return <Avatar src={picture} size={36} />;
  return (
    <Picture
      src={pictureURL(picture, 400)}
      mark={<OrgMark logo={org?.logo_url} name={org?.name_th ?? ''} size={24} className="opacity-60" />}
      className="h-10 w-12 shrink-0 rounded-chip"
    />
  );
}
