-- CreateTable
CREATE TABLE "AppTrial" (
    "personId" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "stateHash" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    "begun" TEXT NOT NULL,
    "outcome" TEXT,
    "expiresAt" DATETIME NOT NULL,

    PRIMARY KEY ("personId", "appId"),
    CONSTRAINT "AppTrial_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AppTrial_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "AppTrial_stateHash_key" ON "AppTrial"("stateHash");

-- CreateIndex
CREATE INDEX "AppTrial_appId_idx" ON "AppTrial"("appId");

-- CreateIndex
CREATE INDEX "AppTrial_expiresAt_idx" ON "AppTrial"("expiresAt");
