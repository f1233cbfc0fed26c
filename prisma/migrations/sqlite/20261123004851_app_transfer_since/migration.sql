-- AlterTable
ALTER TABLE "AppTransfer" ADD COLUMN "since" DATETIME;
