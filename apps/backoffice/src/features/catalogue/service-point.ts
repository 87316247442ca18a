/** What a new service point begins with. */
export const freshServicePoint = {
  name_th: '',
  name_en: '',
  address_th: '',
  address_en: '',
  phone: '',
  hours_th: '',
  hours_en: '',
  latitude: null,
  longitude: null,
  partner_id: null,
  staff: [] as string[],
};
