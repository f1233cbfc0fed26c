-- AlterTable
ALTER TABLE "AppKey" ADD COLUMN     "lastUsedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "AppUsage" (
    "appId" TEXT NOT NULL,
    "day" TIMESTAMP(3) NOT NULL,
    "what" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "AppUsage_pkey" PRIMARY KEY ("appId","day","what")
);

-- CreateIndex
CREATE INDEX "AppUsage_day_idx" ON "AppUsage"("day");

-- AddForeignKey
ALTER TABLE "AppUsage" ADD CONSTRAINT "AppUsage_appId_fkey" FOREIGN KEY ("appId") REFERENCES "App"("id") ON DELETE CASCADE ON UPDATE CASCADE;
