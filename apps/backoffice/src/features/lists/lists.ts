import { resourceScreen } from '../../resource/resource-screen.tsx';
import { faq } from './faq.tsx';
import { customertype, qrtype, salechannel, service, size, timeslot } from './option-list.tsx';
import { payment } from './payment.tsx';

export const CustomerTypesPage = resourceScreen(customertype);
export const SaleChannelsPage = resourceScreen(salechannel);
export const ServicesPage = resourceScreen(service);
export const TimeSlotsPage = resourceScreen(timeslot);
export const SizesPage = resourceScreen(size);
export const QRTypesPage = resourceScreen(qrtype);
export const QuestionsPage = resourceScreen(faq);
export const PaymentSystemsPage = resourceScreen(payment);
