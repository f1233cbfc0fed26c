-- AlterTable
ALTER TABLE "App" ADD COLUMN "removeAfter" DATETIME;
ALTER TABLE "App" ADD COLUMN "disabledBy" TEXT;

-- AlterTable
ALTER TABLE "AppSecret" ADD COLUMN "lastUsedAt" DATETIME;
