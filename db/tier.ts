/** The subscription levels, lowest first. */
export type Tier = 'air' | 'pro' | 'pro_max' | 'ultra';
