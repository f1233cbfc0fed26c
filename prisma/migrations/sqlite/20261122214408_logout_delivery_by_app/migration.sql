-- DropIndex
DROP INDEX "LogoutDelivery_nextAt_idx";

-- CreateIndex
CREATE INDEX "LogoutDelivery_appId_nextAt_idx" ON "LogoutDelivery"("appId", "nextAt");
