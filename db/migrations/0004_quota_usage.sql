CREATE TABLE "quota_usage" (
	"source" text NOT NULL,
	"bucket" text NOT NULL,
	"day" date NOT NULL,
	"units" bigint NOT NULL,
	"methods" jsonb NOT NULL,
	CONSTRAINT "quota_usage_source_bucket_day_pk" PRIMARY KEY("source","bucket","day")
);
