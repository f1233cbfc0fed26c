-- CreateTable
CREATE TABLE "TeamToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "TeamToken_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "TeamToken_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RegistrationToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "RegistrationToken_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RegistrationToken_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ManagementToken" (
    "appId" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ManagementToken_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_TeamAct" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "actor" TEXT NOT NULL,
    "tokenName" TEXT NOT NULL DEFAULT '',
    "act" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "targetName" TEXT NOT NULL DEFAULT '',
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "TeamAct_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_TeamAct" ("act", "actor", "after", "at", "before", "id", "position", "target", "targetName", "teamId") SELECT "act", "actor", "after", "at", "before", "id", "position", "target", "targetName", "teamId" FROM "TeamAct";
DROP TABLE "TeamAct";
ALTER TABLE "new_TeamAct" RENAME TO "TeamAct";
CREATE INDEX "TeamAct_teamId_at_idx" ON "TeamAct"("teamId", "at");
CREATE INDEX "TeamAct_at_idx" ON "TeamAct"("at");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE UNIQUE INDEX "TeamToken_hash_key" ON "TeamToken"("hash");

-- CreateIndex
CREATE INDEX "TeamToken_teamId_idx" ON "TeamToken"("teamId");

-- CreateIndex
CREATE INDEX "TeamToken_personId_idx" ON "TeamToken"("personId");

-- CreateIndex
CREATE INDEX "TeamToken_expiresAt_idx" ON "TeamToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "RegistrationToken_hash_key" ON "RegistrationToken"("hash");

-- CreateIndex
CREATE INDEX "RegistrationToken_teamId_idx" ON "RegistrationToken"("teamId");

-- CreateIndex
CREATE INDEX "RegistrationToken_personId_idx" ON "RegistrationToken"("personId");

-- CreateIndex
CREATE INDEX "RegistrationToken_expiresAt_idx" ON "RegistrationToken"("expiresAt");
