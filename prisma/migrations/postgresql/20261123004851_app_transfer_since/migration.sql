-- AlterTable
ALTER TABLE "AppTransfer" ADD COLUMN     "since" TIMESTAMP(3);
