-- AlterTable
ALTER TABLE "Team" ADD COLUMN "trusted" BOOLEAN NOT NULL DEFAULT false;

-- The operator vouches for the teams of its own files: those that no person created in the console.
UPDATE "Team" SET "trusted" = true WHERE "id" NOT IN
    (SELECT "teamId" FROM "TeamAct" WHERE "act" = 'team_created' AND "actor" <> '');

-- CreateTable
CREATE TABLE "TeamDomain" (
    "teamId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "proof" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "checkedAt" DATETIME,
    "verifiedAt" DATETIME,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "nextCheckAt" DATETIME,

    PRIMARY KEY ("teamId", "domain"),
    CONSTRAINT "TeamDomain_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "TeamDomain_nextCheckAt_idx" ON "TeamDomain"("nextCheckAt");
