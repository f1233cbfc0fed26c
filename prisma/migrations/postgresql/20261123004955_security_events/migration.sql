-- CreateTable
CREATE TABLE "EventReceiver" (
    "appId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "sealedAuthorization" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "pausedAt" TIMESTAMP(3),

    CONSTRAINT "EventReceiver_pkey" PRIMARY KEY ("appId")
);

-- CreateTable
CREATE TABLE "SecurityEvent" (
    "id" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "claims" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "triedAt" TIMESTAMP(3),
    "refusal" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "SecurityEvent_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "EventReceiver" ADD CONSTRAINT "EventReceiver_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;
