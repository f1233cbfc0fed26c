-- DropIndex
DROP INDEX "Subject_teamId_idx";

-- AlterTable
ALTER TABLE "App" ADD COLUMN "teamSince" DATETIME;

-- CreateTable
CREATE TABLE "AppTransfer" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "fromTeamId" TEXT NOT NULL,
    "toTeamId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "acceptedAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    "wasClosed" BOOLEAN NOT NULL DEFAULT false,
    "cursor" TEXT NOT NULL DEFAULT '',
    "settledAt" DATETIME,
    CONSTRAINT "AppTransfer_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AppTransfer_toTeamId_fkey" FOREIGN KEY ("toTeamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MovedSubject" (
    "transferId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "oldSub" TEXT NOT NULL,
    "newSub" TEXT NOT NULL,
    "until" DATETIME NOT NULL,

    PRIMARY KEY ("transferId", "oldSub"),
    CONSTRAINT "MovedSubject_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "AppTransfer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MovedSubject_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "TeamAct" ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "TeamAct" ADD COLUMN "targetName" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "AppTransfer_appId_idx" ON "AppTransfer"("appId");

-- CreateIndex
CREATE INDEX "AppTransfer_toTeamId_idx" ON "AppTransfer"("toTeamId");

-- CreateIndex
CREATE INDEX "AppTransfer_fromTeamId_idx" ON "AppTransfer"("fromTeamId");

-- CreateIndex
CREATE INDEX "AppTransfer_expiresAt_idx" ON "AppTransfer"("expiresAt");

-- CreateIndex
CREATE INDEX "MovedSubject_personId_idx" ON "MovedSubject"("personId");

-- CreateIndex
CREATE INDEX "MovedSubject_until_idx" ON "MovedSubject"("until");

-- CreateIndex
CREATE INDEX "Subject_teamId_personId_idx" ON "Subject"("teamId", "personId");

-- CreateIndex
CREATE INDEX "Consent_appId_idx" ON "Consent"("appId");
