-- AlterTable
ALTER TABLE "Failure" ADD COLUMN     "causeId" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "Failure_appId_endpoint_lastAt_idx" ON "Failure"("appId", "endpoint", "lastAt");

-- CreateIndex
CREATE INDEX "Failure_appId_causeId_idx" ON "Failure"("appId", "causeId");

-- CreateIndex
CREATE INDEX "Failure_lastAt_idx" ON "Failure"("lastAt");
