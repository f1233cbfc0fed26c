-- AlterTable
ALTER TABLE "Api" ADD COLUMN "sensitiveScopes" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Api" ADD COLUMN "waitingScopes" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Api" ADD COLUMN "waitingSince" DATETIME;

-- AlterTable
ALTER TABLE "App" ADD COLUMN "waitingScopes" TEXT NOT NULL DEFAULT '';
ALTER TABLE "App" ADD COLUMN "waitingSince" DATETIME;

-- AlterTable
ALTER TABLE "OperatorAct" ADD COLUMN "details" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "Api_waitingSince_idx" ON "Api"("waitingSince");

-- CreateIndex
CREATE INDEX "App_waitingSince_idx" ON "App"("waitingSince");
