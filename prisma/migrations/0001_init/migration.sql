-- CreateEnum
CREATE TYPE "Source" AS ENUM ('recorded', 'pull_request');

-- CreateEnum
CREATE TYPE "Level" AS ENUM ('low', 'medium', 'high', 'critical');

-- CreateEnum
CREATE TYPE "NotableStatus" AS ENUM ('active', 'archived');

-- CreateEnum
CREATE TYPE "ArchivedReason" AS ENUM ('merged', 'closed', 'branch_deleted', 'expired', 'caller');

-- CreateEnum
CREATE TYPE "ChangesSource" AS ENUM ('client', 'github');

-- CreateEnum
CREATE TYPE "FileStatus" AS ENUM ('added', 'modified', 'removed', 'renamed', 'renamed_from');

-- CreateTable
CREATE TABLE "repositories" (
    "repository_id" BIGINT NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "default_branch" TEXT,
    "is_public" BOOLEAN NOT NULL,
    "installation_id" BIGINT,
    "is_suspended" BOOLEAN NOT NULL DEFAULT false,
    "facts_at" TIMESTAMPTZ(3),
    "requested_at" TIMESTAMPTZ(3),
    "pulls_asked_at" TIMESTAMPTZ(3),
    "pulls_read_at" TIMESTAMPTZ(3),
    "pulls_failed_at" TIMESTAMPTZ(3),
    "pulls_unlisted" INTEGER NOT NULL DEFAULT 0,
    "settings" JSONB,
    "settings_file" JSONB,
    "settings_problems" JSONB NOT NULL DEFAULT '[]',
    "settings_asked_at" TIMESTAMPTZ(3),
    "settings_read_at" TIMESTAMPTZ(3),
    "may_write_checks" BOOLEAN,
    "suites_off_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "repositories_pkey" PRIMARY KEY ("repository_id")
);

-- CreateTable
CREATE TABLE "activities" (
    "repository_id" BIGINT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "source" "Source" NOT NULL DEFAULT 'recorded',
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "agent" TEXT,
    "status" TEXT NOT NULL,
    "risk" "Level" NOT NULL,
    "blocking" BOOLEAN NOT NULL,
    "branch" TEXT,
    "base_branch" TEXT,
    "areas" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "paths" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "issues" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "pr_url" TEXT,
    "pr_number" INTEGER,
    "draft_pr" BOOLEAN NOT NULL,
    "author_login" TEXT,
    "changes_by" "ChangesSource",
    "changes_head" TEXT,
    "changes_commits" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "changes_total" INTEGER,
    "changes_read_at" TIMESTAMPTZ(3),
    "heartbeat_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "archived_reason" "ArchivedReason",
    "archived_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "idempotency_key" TEXT,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("repository_id","id")
);

-- CreateTable
CREATE TABLE "places" (
    "repository_id" BIGINT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "activity_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "places_pkey" PRIMARY KEY ("repository_id","key","activity_id")
);

-- CreateTable
CREATE TABLE "changed_files" (
    "repository_id" BIGINT NOT NULL,
    "activity_id" TEXT COLLATE "C" NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "previous_path" TEXT,
    "status" "FileStatus" NOT NULL,
    "lines" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "has_lines" BOOLEAN NOT NULL,
    "is_over" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "changed_files_pkey" PRIMARY KEY ("repository_id","activity_id","path")
);

-- CreateTable
CREATE TABLE "notables" (
    "repository_id" BIGINT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "importance" "Level" NOT NULL,
    "status" "NotableStatus" NOT NULL,
    "blocking" BOOLEAN NOT NULL,
    "decision_url" TEXT,
    "supersedes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "applies_until" TIMESTAMPTZ(3),
    "areas" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "paths" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "author_login" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "archived_by" TEXT,
    "idempotency_key" TEXT,

    CONSTRAINT "notables_pkey" PRIMARY KEY ("repository_id","id")
);

-- CreateTable
CREATE TABLE "notable_places" (
    "repository_id" BIGINT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "notable_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "notable_places_pkey" PRIMARY KEY ("repository_id","key","notable_id")
);

-- CreateTable
CREATE TABLE "pull_requests" (
    "repository_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "is_open" BOOLEAN NOT NULL,
    "is_draft" BOOLEAN NOT NULL,
    "title" TEXT NOT NULL,
    "author_login" TEXT,
    "is_outsider" BOOLEAN NOT NULL,
    "issues" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "head_sha" TEXT NOT NULL,
    "head_branch" TEXT NOT NULL,
    "head_repository_id" BIGINT,
    "head_owner" TEXT,
    "base_branch" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "github_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "read_head" TEXT,
    "pushed_at" TIMESTAMPTZ(3),
    "read_after" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "put_aside_head" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pull_requests_pkey" PRIMARY KEY ("repository_id","number")
);

-- CreateTable
CREATE TABLE "check_runs" (
    "repository_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "head_sha" TEXT NOT NULL,
    "check_run_id" BIGINT,
    "written" TEXT,
    "named" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "check_runs_pkey" PRIMARY KEY ("repository_id","number")
);

-- CreateTable
CREATE TABLE "jobs" (
    "name" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_until" TIMESTAMPTZ(3),
    "state" JSONB,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "facts" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,

    CONSTRAINT "facts_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "repositories_installation_id_idx" ON "repositories"("installation_id");

-- CreateIndex
CREATE INDEX "activities_live" ON "activities"("repository_id", "id") WHERE (ended_at is null);

-- CreateIndex
CREATE INDEX "activities_branch" ON "activities"("repository_id", "branch");

-- CreateIndex
CREATE INDEX "activities_pull" ON "activities"("repository_id", "pr_number");

-- CreateIndex
CREATE INDEX "activities_author" ON "activities"("repository_id", "author_login") WHERE (source = 'recorded');

-- CreateIndex
CREATE INDEX "activities_repository_id_ended_at_idx" ON "activities"("repository_id", "ended_at");

-- CreateIndex
CREATE INDEX "activities_ended" ON "activities"("ended_at");

-- CreateIndex
CREATE INDEX "activities_due" ON "activities"("expires_at") WHERE (ended_at is null);

-- CreateIndex
CREATE UNIQUE INDEX "activities_repository_id_idempotency_key_key" ON "activities"("repository_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "activities_open_pull" ON "activities"("repository_id", "pr_number") WHERE (source = 'pull_request' and ended_at is null);

-- CreateIndex
CREATE INDEX "places_repository_id_activity_id_idx" ON "places"("repository_id", "activity_id");

-- CreateIndex
CREATE INDEX "changed_files_path" ON "changed_files"("repository_id", "path" text_pattern_ops) WHERE (not is_over);

-- CreateIndex
CREATE INDEX "changed_files_renamed_from" ON "changed_files"("repository_id", "path" text_pattern_ops) WHERE (status = 'renamed_from' and not is_over);

-- CreateIndex
CREATE INDEX "notables_repository_id_status_id_idx" ON "notables"("repository_id", "status", "id");

-- CreateIndex
CREATE INDEX "notables_expires_at_idx" ON "notables"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "notables_repository_id_idempotency_key_key" ON "notables"("repository_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "notable_places_repository_id_notable_id_idx" ON "notable_places"("repository_id", "notable_id");

-- CreateIndex
CREATE INDEX "pull_requests_head" ON "pull_requests"("repository_id", "head_branch") WHERE (is_open);

-- CreateIndex
CREATE INDEX "pull_requests_head_sha" ON "pull_requests"("repository_id", "head_sha") WHERE (is_open);

-- CreateIndex
CREATE INDEX "pull_requests_unread" ON "pull_requests"("repository_id", "read_after") WHERE (read_after is not null);

-- CreateIndex
CREATE INDEX "check_runs_due" ON "check_runs"("repository_id", "due_at") WHERE (due_at is not null);

-- AddForeignKey
ALTER TABLE "places" ADD CONSTRAINT "places_repository_id_activity_id_fkey" FOREIGN KEY ("repository_id", "activity_id") REFERENCES "activities"("repository_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changed_files" ADD CONSTRAINT "changed_files_repository_id_activity_id_fkey" FOREIGN KEY ("repository_id", "activity_id") REFERENCES "activities"("repository_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notable_places" ADD CONSTRAINT "notable_places_repository_id_notable_id_fkey" FOREIGN KEY ("repository_id", "notable_id") REFERENCES "notables"("repository_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
