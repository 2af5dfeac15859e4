import type { CampaignStatus } from '../../db/campaigns/campaigns.ts';
import type { CampaignItem, MissedCheck } from '../../db/campaigns/reports.ts';
import type { Observed } from '../../db/observations/observed.ts';

export interface Coverage {
  expected_observations: number;
  observations: number;
  items: number;
  items_never_observed: number;
}

export interface ReportInput {
  report_id: string | null;
  final: boolean;
  campaign: ReportedCampaign;
  /** Start of the report's week: Monday 00:00 UTC, in Unix ms. */
  period_start: number;
  generated_at: number;
  history_days: number;
  items: readonly CampaignItem[];
  observations: readonly Observed[];
  missed: readonly MissedCheck[];
}

interface ReportedCampaign {
  campaign_id: string;
  name: string;
  status: CampaignStatus;
  report_name: string | null;
  starts_on: string;
  ends_on: string | null;
}
