import type { Membership } from '../../../db/accounts/members.ts';

/** A signed-in user and the workspace they act for. */
export interface Visitor extends Membership {
  user_id: string;
  session_id: string;
  name: string;
  email: string;
  /**
   * True when this request created the workspace, but without starter credits, because too many new workspaces from the
   * same network had already received them.
   */
  starter_refused?: boolean;
}

export interface Visitors {
  /**
   * Returns the signed-in user, or null. Creates a workspace at the first visit of a confirmed user. `address` is the
   * user's network address.
   */
  visitor(headers: Headers, address: string): Promise<Visitor | null>;
}
