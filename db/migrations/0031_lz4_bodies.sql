-- Stores long answers compressed with lz4: an answer of 20 kB then needs two thirds of the processor time and an eighth
-- of the disk. The built-in PostgreSQL is compiled without lz4. Its own compression needs three times the time, so there
-- answers stay uncompressed, and those of up to 4 kB stay in their rows.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)) THEN
    ALTER TABLE "responses" ALTER COLUMN "body" SET STORAGE EXTENDED, ALTER COLUMN "body" SET COMPRESSION lz4;
    ALTER TABLE "replays" ALTER COLUMN "body" SET STORAGE EXTENDED, ALTER COLUMN "body" SET COMPRESSION lz4;
    ALTER TABLE "buffered_pages" ALTER COLUMN "page" SET COMPRESSION lz4;
  ELSE
    ALTER TABLE "responses" SET (toast_tuple_target = 4064);
    ALTER TABLE "replays" SET (toast_tuple_target = 4064);
    ALTER TABLE "buffered_pages" ALTER COLUMN "page" SET STORAGE EXTERNAL;
  END IF;
END $$;
