/** The roles of members in a workspace, from the fewest rights to the most. */
const roles = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

/** Returns true when a member with the role `role` may do everything that the role `needed` may do. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
