import { useTexts } from './page.tsx';

/** The banks to which refunds are transferred, by their codes at the Bank of Thailand; those that most people use first. */
export const banks: Record<string, { name_th: string; name_en: string }> = {
  '004': { name_th: 'กสิกรไทย', name_en: 'Kasikornbank' },
  '014': { name_th: 'ไทยพาณิชย์', name_en: 'SCB' },
  '002': { name_th: 'กรุงเทพ', name_en: 'Bangkok Bank' },
  '006': { name_th: 'กรุงไทย', name_en: 'Krungthai' },
  '025': { name_th: 'กรุงศรีอยุธยา', name_en: 'Krungsri' },
  '011': { name_th: 'ทีเอ็มบีธนชาต (ttb)', name_en: 'ttb' },
  '030': { name_th: 'ออมสิน', name_en: 'Government Savings Bank' },
  '034': { name_th: 'ธ.ก.ส.', name_en: 'BAAC' },
  '033': { name_th: 'อาคารสงเคราะห์', name_en: 'Government Housing Bank' },
  '024': { name_th: 'ยูโอบี', name_en: 'UOB' },
  '022': { name_th: 'ซีไอเอ็มบี ไทย', name_en: 'CIMB Thai' },
  '069': { name_th: 'เกียรตินาคินภัทร', name_en: 'Kiatnakin Phatra' },
  '073': { name_th: 'แลนด์ แอนด์ เฮ้าส์', name_en: 'LH Bank' },
  '067': { name_th: 'ทิสโก้', name_en: 'TISCO' },
  '071': { name_th: 'ไทยเครดิต', name_en: 'Thai Credit' },
  '070': { name_th: 'ไอซีบีซี (ไทย)', name_en: 'ICBC (Thai)' },
  '066': { name_th: 'อิสลามแห่งประเทศไทย', name_en: 'Islamic Bank of Thailand' },
  '020': { name_th: 'สแตนดาร์ดชาร์เตอร์ด (ไทย)', name_en: 'Standard Chartered (Thai)' },
};

/** The name of a bank, or its code if we have no name for it. */
export function useBankName() {
  const text = useTexts();
  return (code: string) => {
    const bank = banks[code];
    return bank ? text(bank, 'name') : code;
  };
}
