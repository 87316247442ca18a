/** Who runs the platform: on its own site, and for owners who want help. */
export const company = {
  name_th: 'บริษัท วี เลิฟ เวาเชอร์ จำกัด',
  name_en: 'We Love Voucher Co., Ltd.',
  address_th: '88/12 อาคารสาทรการ์เดน ชั้น 9 ถนนสาทรใต้ แขวงทุ่งมหาเมฆ เขตสาทร กรุงเทพฯ 10120',
  address_en: '88/12 Sathorn Garden Building, 9th floor, South Sathorn Road, Thung Maha Mek, Sathorn, Bangkok 10120',
  email: 'hello@welovevoucher.com',
  phone: '02 000 4471',
  social: [
    { name: 'Facebook', href: 'https://www.facebook.com/welovevoucher' },
    { name: 'TikTok', href: 'https://www.tiktok.com/@welovevoucher' },
    { name: 'YouTube', href: 'https://www.youtube.com/@welovevoucher' },
  ],
} as const;
