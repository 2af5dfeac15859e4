export type Tier = 'air' | 'pro' | 'pro_max' | 'ultra';
