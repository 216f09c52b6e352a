-- Ids are compared byte by byte: sorting by id is sorting by creation.

CREATE TABLE "repositories" (
    "repository_id" BIGINT NOT NULL CHECK ("repository_id" > 0),
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_branch" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "repositories_pkey" PRIMARY KEY ("repository_id")
);
CREATE INDEX "repositories_owner_name_idx" ON "repositories" ("owner", "name");

CREATE TABLE "activities" (
    "repository_id" BIGINT NOT NULL CHECK ("repository_id" > 0),
    "id" TEXT COLLATE "C" NOT NULL CHECK ("id" ~ '^act_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
    "title" TEXT NOT NULL CHECK (char_length("title") BETWEEN 1 AND 200),
    "summary" TEXT NOT NULL CHECK (char_length("summary") BETWEEN 1 AND 2000),
    "actor" TEXT NOT NULL CHECK (char_length("actor") BETWEEN 1 AND 100),
    "agent" TEXT CHECK (char_length("agent") BETWEEN 1 AND 100),
    "status" TEXT NOT NULL CHECK ("status" IN ('planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review', 'merged', 'abandoned', 'archived')),
    "risk" TEXT NOT NULL CHECK ("risk" IN ('low', 'medium', 'high', 'critical')),
    "branch" TEXT CHECK (char_length("branch") BETWEEN 1 AND 255),
    "base_branch" TEXT CHECK (char_length("base_branch") BETWEEN 1 AND 255),
    "areas" TEXT[] NOT NULL CHECK (cardinality("areas") <= 100),
    "area_keys" TEXT[] NOT NULL,
    "paths" TEXT[] NOT NULL CHECK (cardinality("paths") <= 100),
    "pr_url" TEXT CHECK (char_length("pr_url") <= 2048),
    "pr_repository_id" BIGINT,
    "pr_number" INTEGER,
    "draft_pr" BOOLEAN NOT NULL,
    "blocking" BOOLEAN NOT NULL,
    "heartbeat_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "archived_reason" TEXT CHECK ("archived_reason" IN ('merged', 'branch_deleted', 'expired', 'caller')),
    "ended_at" TIMESTAMPTZ(3),
    "indexed" TEXT NOT NULL CHECK ("indexed" IN ('live', 'ended')),
    "expires_hour" INTEGER GENERATED ALWAYS AS (floor(extract(epoch FROM ("expires_at" AT TIME ZONE 'UTC')) / 3600)::integer) STORED,
    CONSTRAINT "activities_pkey" PRIMARY KEY ("repository_id", "id"),
    CONSTRAINT "activities_expires_after_creation" CHECK ("expires_at" > "created_at"),
    CONSTRAINT "activities_archived_at_when_archived" CHECK (("status" = 'archived') = ("archived_at" IS NOT NULL)),
    CONSTRAINT "activities_archived_reason_when_archived" CHECK (("status" = 'archived') = ("archived_reason" IS NOT NULL)),
    CONSTRAINT "activities_ended_at_when_ended" CHECK (("status" IN ('merged', 'abandoned', 'archived')) = ("ended_at" IS NOT NULL)),
    CONSTRAINT "activities_pr_is_whole" CHECK (("pr_url" IS NOT NULL) OR ("pr_repository_id" IS NULL)),
    CONSTRAINT "activities_pr_number_with_repository" CHECK (("pr_repository_id" IS NULL) = ("pr_number" IS NULL))
);
-- Heartbeats change "expires_at" and "heartbeat_at" alone: they stand in no index by themselves, so that PostgreSQL can
-- update the row in place (HOT). The sweeper finds what is due by the hour, which most heartbeats leave as it is.
CREATE INDEX "activities_due_idx" ON "activities" ("expires_hour") WHERE "ended_at" IS NULL;
CREATE INDEX "activities_live_idx" ON "activities" ("repository_id", "id") WHERE "ended_at" IS NULL;
CREATE INDEX "activities_repository_id_branch_idx" ON "activities" ("repository_id", "branch");
CREATE INDEX "activities_pr_repository_id_pr_number_idx" ON "activities" ("pr_repository_id", "pr_number");
CREATE INDEX "activities_merged_idx" ON "activities" ("repository_id", "ended_at") WHERE "status" = 'merged' OR "archived_reason" = 'merged';
-- Ended work that the index of scopes still holds as live.
CREATE INDEX "activities_to_move_idx" ON "activities" ("ended_at") WHERE "ended_at" IS NOT NULL AND "indexed" = 'live';
-- Stacks of branches are followed both ways.
CREATE INDEX "activities_live_branch_idx" ON "activities" ("repository_id", "branch") WHERE "ended_at" IS NULL;
CREATE INDEX "activities_live_base_branch_idx" ON "activities" ("repository_id", "base_branch") WHERE "ended_at" IS NULL;
CREATE INDEX "activities_ended_idx" ON "activities" ("ended_at") WHERE "ended_at" IS NOT NULL;

-- What the paths of a scope begin and end with, and its areas: candidates for an overlap come out of here by index alone.
-- Live and ended work lie apart: what ended is asked for by reuse alone. Keys and tails are kept short enough for a b-tree.
CREATE TABLE "scope_keys" (
    "repository_id" BIGINT NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL CHECK ("state" IN ('live', 'ended')),
    "kind" TEXT COLLATE "C" NOT NULL CHECK ("kind" IN ('path', 'area')),
    "key" TEXT COLLATE "C" NOT NULL CHECK (octet_length("key") <= 800),
    "tail" TEXT COLLATE "C" NOT NULL CHECK (octet_length("tail") <= 400),
    "activity_id" TEXT COLLATE "C" NOT NULL,
    CONSTRAINT "scope_keys_pkey" PRIMARY KEY ("repository_id", "state", "kind", "key", "tail", "activity_id"),
    CONSTRAINT "scope_keys_activity_fkey" FOREIGN KEY ("repository_id", "activity_id") REFERENCES "activities" ("repository_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "scope_keys_repository_id_activity_id_idx" ON "scope_keys" ("repository_id", "activity_id");
CREATE INDEX "scope_keys_repository_id_state_kind_tail_key_activity_id_idx" ON "scope_keys" ("repository_id", "state", "kind", "tail", "key", "activity_id");

CREATE TABLE "notables" (
    "repository_id" BIGINT NOT NULL CHECK ("repository_id" > 0),
    "id" TEXT COLLATE "C" NOT NULL CHECK ("id" ~ '^ntb_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
    "title" TEXT NOT NULL CHECK (char_length("title") BETWEEN 1 AND 200),
    "summary" TEXT NOT NULL CHECK (char_length("summary") BETWEEN 1 AND 2000),
    "category" TEXT NOT NULL CHECK ("category" IN ('architecture', 'process', 'pattern', 'warning', 'migration', 'testing', 'security', 'dependency', 'api-contract', 'temporary-workaround', 'deprecation', 'release')),
    "importance" TEXT NOT NULL CHECK ("importance" IN ('low', 'medium', 'high', 'critical')),
    "status" TEXT NOT NULL CHECK ("status" IN ('active', 'archived', 'expired')),
    "decision_url" TEXT CHECK (char_length("decision_url") <= 2048),
    "supersedes" TEXT[] NOT NULL CHECK (cardinality("supersedes") <= 100),
    "applies_until" TIMESTAMPTZ(3),
    "areas" TEXT[] NOT NULL CHECK (cardinality("areas") <= 100),
    "area_keys" TEXT[] NOT NULL,
    "paths" TEXT[] NOT NULL CHECK (cardinality("paths") <= 100),
    "blocking" BOOLEAN NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    CONSTRAINT "notables_pkey" PRIMARY KEY ("repository_id", "id"),
    CONSTRAINT "notables_expires_after_creation" CHECK ("expires_at" > "created_at"),
    CONSTRAINT "notables_archived_at_when_archived" CHECK (("status" = 'archived') = ("archived_at" IS NOT NULL)),
    CONSTRAINT "notables_ended_at_when_ended" CHECK (("status" = 'active') = ("ended_at" IS NULL))
);
CREATE INDEX "notables_active_idx" ON "notables" ("repository_id", "id") WHERE "ended_at" IS NULL;
CREATE INDEX "notables_due_idx" ON "notables" ("expires_at") WHERE "ended_at" IS NULL;
CREATE INDEX "notables_ended_idx" ON "notables" ("ended_at") WHERE "ended_at" IS NOT NULL;

CREATE TABLE "idempotency_keys" (
    "repository_id" BIGINT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "answer" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("repository_id", "key_hash")
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" ("created_at");

CREATE TABLE "repository_settings" (
    "repository_id" BIGINT NOT NULL,
    "owner" TEXT NOT NULL,
    "file_values" JSONB,
    "file_repository" TEXT,
    "file_path" TEXT,
    "file_sha" TEXT,
    "file_read_at" TIMESTAMPTZ(3),
    "problems" JSONB NOT NULL,
    "etag_repository" TEXT,
    "etag" TEXT,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "marks" INTEGER NOT NULL DEFAULT 0,
    "marks_read" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "repository_settings_pkey" PRIMARY KEY ("repository_id")
);

CREATE TABLE "webhook_deliveries" (
    "guid" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "handled_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("guid")
);
CREATE INDEX "webhook_deliveries_handled_at_idx" ON "webhook_deliveries" ("handled_at");

CREATE TABLE "redeliveries" (
    "guid" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "redeliveries_pkey" PRIMARY KEY ("guid")
);
CREATE INDEX "redeliveries_requested_at_idx" ON "redeliveries" ("requested_at");

CREATE TABLE "reconciliations" (
    "repository_id" BIGINT NOT NULL,
    "full_name" TEXT NOT NULL,
    "default_branch" TEXT NOT NULL,
    "repository_etag" TEXT,
    "pulls_etag" TEXT,
    "heads_etags" TEXT[] NOT NULL,
    "reconciled_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("repository_id")
);

CREATE TABLE "branch_sightings" (
    "repository_id" BIGINT NOT NULL,
    "activity_id" TEXT COLLATE "C" NOT NULL,
    "branch" TEXT NOT NULL,
    "seen" BOOLEAN NOT NULL,
    CONSTRAINT "branch_sightings_pkey" PRIMARY KEY ("repository_id", "activity_id"),
    CONSTRAINT "branch_sightings_activity_fkey" FOREIGN KEY ("repository_id", "activity_id") REFERENCES "activities" ("repository_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE TABLE "service_facts" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "service_facts_pkey" PRIMARY KEY ("name")
);
