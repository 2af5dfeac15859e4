CREATE TABLE "field_counts" (
	"day" date NOT NULL,
	"collector" text NOT NULL,
	"source" text NOT NULL,
	"field" text NOT NULL,
	"given" bigint NOT NULL,
	"missing" bigint NOT NULL,
	"rounded" bigint NOT NULL,
	CONSTRAINT "field_counts_day_collector_source_field_pk" PRIMARY KEY("day","collector","source","field")
);
