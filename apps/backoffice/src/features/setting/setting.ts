import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Body, call, type Detail, query } from '@wlv/client/call';
import { useCallback } from 'react';

export type Setting = Detail<'/api/owner/setting/get'>;
export type Settings = Body<'/api/owner/setting/save'>;

export function useSetting() {
  return useSuspenseQuery({ ...query('/api/owner/setting/get', {}), refetchOnWindowFocus: false }).data;
}

/** What of the organisation's record its owner may change. */
export function settingsOf(setting: Setting): Settings {
  return {
    name_th: setting.name_th,
    name_en: setting.name_en,
    tagline_th: setting.tagline_th,
    tagline_en: setting.tagline_en,
    background_color_primary: setting.background_color_primary,
    background_color_secondary: setting.background_color_secondary,
    logo_id: setting.logo_id,
    register_before_use: setting.register_before_use,
  };
}

export const saveSettings = (settings: Settings) => call('/api/owner/setting/save', settings);

/** Puts what was saved in the place of what was read. */
export function useTakeSetting() {
  const client = useQueryClient();
  return useCallback((saved: Setting) => client.setQueryData(['/api/owner/setting/get', {}], saved), [client]);
}
