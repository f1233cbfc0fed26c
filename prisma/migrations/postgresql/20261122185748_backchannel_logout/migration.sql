-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "firstId" TEXT;

-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN     "endsWithSession" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "LogoutDelivery" (
    "appId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "sub" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LogoutDelivery_pkey" PRIMARY KEY ("appId","sessionId")
);

-- CreateIndex
CREATE INDEX "LogoutDelivery_nextAt_idx" ON "LogoutDelivery"("nextAt");

-- CreateIndex
CREATE INDEX "LogoutDelivery_until_idx" ON "LogoutDelivery"("until");

-- CreateIndex
CREATE INDEX "Authorization_sessionId_idx" ON "Authorization"("sessionId");

-- AddForeignKey
ALTER TABLE "LogoutDelivery" ADD CONSTRAINT "LogoutDelivery_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;
