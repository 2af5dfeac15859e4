ALTER TABLE "batch_rows" ADD COLUMN "own_cells" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "own_headings" text[];