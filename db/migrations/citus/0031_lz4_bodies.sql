-- Citus cannot change how a column of a distributed table is stored, so answers stay uncompressed. Those of up to 4 kB
-- stay in their rows.
ALTER TABLE "responses" SET (toast_tuple_target = 4064);
--> statement-breakpoint
ALTER TABLE "replays" SET (toast_tuple_target = 4064);
