import type { Membership } from '../../../db/accounts/members.ts';

/** A signed-in user and the workspace they act for. */
export interface Visitor extends Membership {
  user_id: string;
  session_id: string;
  name: string;
  email: string;
  /** True when the workspace was created now, without starter credits, because its network got them too often. */
  starter_refused?: boolean;
}

export interface Visitors {
  /** Returns the signed-in user, or null. Creates the workspace of a confirmed user on the first visit, from the network `address`. */
  visitor(headers: Headers, address: string): Promise<Visitor | null>;
}
