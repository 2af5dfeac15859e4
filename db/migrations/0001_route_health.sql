CREATE TABLE "route_health" (
	"hour" timestamp with time zone NOT NULL,
	"route" text NOT NULL,
	"answered" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"last_success_at" timestamp with time zone,
	"latency" integer[] NOT NULL,
	CONSTRAINT "route_health_hour_route_pk" PRIMARY KEY("hour","route")
);
