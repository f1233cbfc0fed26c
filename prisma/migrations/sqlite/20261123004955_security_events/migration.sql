-- CreateTable
CREATE TABLE "EventReceiver" (
    "appId" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "sealedAuthorization" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "pausedAt" DATETIME,
    CONSTRAINT "EventReceiver_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SecurityEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "claims" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "triedAt" DATETIME,
    "refusal" TEXT NOT NULL DEFAULT ''
);

-- CreateIndex
CREATE INDEX "EventReceiver_teamId_idx" ON "EventReceiver"("teamId");

-- CreateIndex
CREATE INDEX "SecurityEvent_state_appId_nextAt_idx" ON "SecurityEvent"("state", "appId", "nextAt");

-- CreateIndex
CREATE INDEX "SecurityEvent_state_until_idx" ON "SecurityEvent"("state", "until");

-- CreateIndex
CREATE INDEX "SecurityEvent_appId_createdAt_idx" ON "SecurityEvent"("appId", "createdAt");

-- CreateIndex
CREATE INDEX "SecurityEvent_sub_idx" ON "SecurityEvent"("sub");

-- CreateIndex
CREATE INDEX "SecurityEvent_until_idx" ON "SecurityEvent"("until");
