-- AlterTable
ALTER TABLE "App" ADD COLUMN     "removeAfter" TIMESTAMP(3),
ADD COLUMN     "disabledBy" TEXT;

-- AlterTable
ALTER TABLE "AppSecret" ADD COLUMN     "lastUsedAt" TIMESTAMP(3);
