import { metrics } from '../schema/metrics.ts';

/** One kind of record in the exported data of a workspace, such as keys. */
export interface ExportPart {
  /** Name of this kind of record in the JSON document with all data of a workspace. */
  name: string;
  table: string;
  fields: readonly string[];
  /** Columns that identify a record within a workspace and by which the records are sorted. */
  key: readonly string[];
  /** Maximum number of records in memory at the same time. Default: 1,000; less for kinds with large records. */
  page_size?: number;
}

/** The kinds of records that the export of a workspace contains. Hashes, tokens and secrets are left out. */
export const exportParts: readonly ExportPart[] = [
  {
    name: 'keys',
    table: 'api_keys',
    fields:
      'key_id kind name last_four created_at last_used_at expires_at revoked_at monthly_cap cap_month cap_used cap_key_id scopes networks created_by'.split(
        ' ',
      ),
    key: ['key_id'],
  },
  {
    name: 'ledger',
    table: 'ledger_entries',
    fields: 'entry_no kind credits balance_after charge_id request_id key_id route reason created_at'.split(' '),
    key: ['entry_no'],
  },
  {
    name: 'purchases',
    table: 'purchases',
    fields: 'payment_id pack credits amount currency refunded_amount refunded_credits taken_credits created_at'.split(
      ' ',
    ),
    key: ['payment_id'],
  },
  {
    name: 'usage',
    table: 'usage',
    fields: 'day key_id route outcome requests credits'.split(' '),
    key: ['day', 'key_id', 'route', 'outcome'],
  },
  {
    name: 'connections',
    table: 'connections',
    fields: 'client_id key_id created_at'.split(' '),
    key: ['client_id'],
  },
  {
    name: 'audit',
    table: 'audit_entries',
    fields: 'entry_id created_at actor action subject address device'.split(' '),
    key: ['entry_id'],
  },
  {
    name: 'lists',
    table: 'tracking_lists',
    fields: 'list_id name created_at'.split(' '),
    key: ['list_id'],
  },
  {
    name: 'tracked_items',
    table: 'tracked_items',
    fields:
      'item_id platform kind url identifier platform_id name list_id status identity_changed check_minute last_attempt_at created_at'.split(
        ' ',
      ),
    key: ['item_id'],
  },
  {
    name: 'pictures',
    table: 'item_pictures',
    fields: 'item_id picture_key type bytes kept_at'.split(' '),
    key: ['item_id'],
    page_size: 20,
  },
  {
    name: 'attempts',
    table: 'check_attempts',
    fields: 'item_id attempt_id attempted_at trigger outcome credits duration_ms message'.split(' '),
    key: ['item_id', 'attempt_id'],
  },
  {
    name: 'observations',
    table: 'observations',
    fields: ['item_id', 'observed_at', ...metrics, 'quality', 'source'],
    key: ['item_id', 'observed_at'],
  },
  {
    name: 'campaigns',
    table: 'campaigns',
    fields: 'campaign_id name status report_name starts_on ends_on created_at'.split(' '),
    key: ['campaign_id'],
  },
  {
    name: 'campaign_items',
    table: 'campaign_items',
    fields: 'campaign_id item_id attached_at'.split(' '),
    key: ['campaign_id', 'item_id'],
  },
  {
    name: 'reports',
    table: 'reports',
    fields: 'campaign_id report_id period_start period_end body created_at'.split(' '),
    key: ['campaign_id', 'report_id'],
    page_size: 5,
  },
  {
    name: 'report_shares',
    table: 'report_shares',
    fields: 'share_id campaign_id report_id created_at expires_at revoked_at label views last_viewed_at'.split(' '),
    key: ['share_id'],
  },
  {
    name: 'report_brands',
    table: 'report_brands',
    fields: 'logo color footer updated_at'.split(' '),
    key: ['workspace_id'],
  },
  {
    name: 'data_links',
    table: 'data_links',
    fields:
      'link_id label content refresh key_id created_at expires_at revoked_at last_read_at reads refreshed_at'.split(
        ' ',
      ),
    key: ['link_id'],
  },
  {
    name: 'batches',
    table: 'batches',
    fields:
      'batch_id name status waiting_for waiting_cost created_at finished_at kind posts_each max_age_seconds import_id own_headings'.split(
        ' ',
      ),
    key: ['batch_id'],
  },
  {
    name: 'batch_rows',
    table: 'batch_rows',
    fields: 'batch_id row_no url duplicate_of status credits cells own_cells answered_at'.split(' '),
    key: ['batch_id', 'row_no'],
    page_size: 500,
  },
  {
    name: 'sheet_targets',
    table: 'sheet_targets',
    fields:
      'target_id campaign_id list_id spreadsheet_id sheet_name mode last_pushed_at last_outcome last_message'.split(
        ' ',
      ),
    key: ['target_id'],
  },
  {
    name: 'sheet_imports',
    table: 'sheet_imports',
    fields:
      'import_id label spreadsheet_id source_range source_list include_hidden kind platform posts_each fields target_sheet target_cell mode max_age_seconds every_seconds next_run_at paused monthly_cap cap_month cap_used covered_rows covered_fields covered_sheet_id created_at'.split(
        ' ',
      ),
    key: ['import_id'],
    page_size: 100,
  },
  {
    name: 'sheet_import_runs',
    table: 'sheet_import_runs',
    fields:
      'run_id import_id trigger settings stage outcome message written_rows append_row started_at finished_at'.split(
        ' ',
      ),
    key: ['run_id'],
  },
  {
    name: 'webhooks',
    table: 'webhook_endpoints',
    fields: 'endpoint_id url events disabled_at disabled_reason created_at'.split(' '),
    key: ['endpoint_id'],
  },
  {
    name: 'webhook_deliveries',
    table: 'webhook_deliveries',
    fields: 'delivery_id endpoint_id event body status attempts last_status last_message created_at delivered_at'.split(
      ' ',
    ),
    key: ['delivery_id'],
    page_size: 500,
  },
  {
    name: 'alert_recipients',
    table: 'alert_recipients',
    fields: 'recipient_id channel label topics campaign_ids confirmed_at unsubscribed_at created_at'.split(' '),
    key: ['recipient_id'],
  },
  {
    name: 'alert_rules',
    table: 'alert_rules',
    fields:
      'rule_id name scope scope_id condition metric direction amount days checks cooldown_hours recipient_ids enabled quiet_at quiet_reason created_at'.split(
        ' ',
      ),
    key: ['rule_id'],
  },
  {
    name: 'alerts',
    table: 'alerts',
    fields: 'alert_id rule_id item_id attempt_id attempted_at value previous rounded'.split(' '),
    key: ['alert_id'],
  },
  {
    name: 'notifications',
    table: 'notifications',
    fields:
      'notification_id recipient_id kind subject_key message status attempts next_at result created_at sent_at'.split(
        ' ',
      ),
    key: ['notification_id'],
    page_size: 500,
  },
];
