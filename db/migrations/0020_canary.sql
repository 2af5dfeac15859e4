CREATE TABLE "canary_subjects" (
	"collector" text NOT NULL,
	"subject" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone,
	"right_at" timestamp with time zone,
	"state" text,
	"detail" text,
	"source" text,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "canary_subjects_collector_subject_pk" PRIMARY KEY("collector","subject")
);
