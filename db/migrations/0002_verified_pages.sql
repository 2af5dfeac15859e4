CREATE TABLE "verified_pages" (
	"company" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"page_id" text NOT NULL,
	"verified_at" timestamp with time zone NOT NULL,
	CONSTRAINT "verified_pages_page_id" CHECK ("verified_pages"."page_id" ~ '^[0-9]{5,20}$')
);
