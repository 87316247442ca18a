import { resourceScreen } from '../../resource/resource-screen.tsx';
import { agent } from './agent.tsx';
import { agenttype } from './agent-type.tsx';
import { customer } from './customer.tsx';
import { staff } from './staff.tsx';

export const CustomersPage = resourceScreen(customer);
export const AgentsPage = resourceScreen(agent);
export const AgentTypesPage = resourceScreen(agenttype);
export const StaffPage = resourceScreen(staff);
